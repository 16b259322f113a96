// There is none.
