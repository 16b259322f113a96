extension String {
  /// The text with the name and password, or token, taken out of every URL in it.
  ///
  /// What git and larder say ends up in logs and on screens that others see.
  public var withoutSecrets: String {
    // A password may hold an at sign itself, so everything up to the last one before the path goes.
    contains("://") ? replacing(/:\/\/[^\/\s]*@/, with: "://") : self
  }
}
