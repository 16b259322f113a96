// LarderGit
