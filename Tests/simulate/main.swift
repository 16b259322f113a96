import Foundation
import Simulation

exit(try SimulationProgram.run(Array(CommandLine.arguments.dropFirst())))
