// LarderModel
