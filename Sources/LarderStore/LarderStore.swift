// LarderStore
