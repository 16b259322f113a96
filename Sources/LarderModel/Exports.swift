// Texts and JSON are values of the model: who imports it has them, too.
@_exported public import LarderJSON
@_exported public import LarderText
