import LarderCLI
import Libc

exit(runLarder())
