extension String {
  /// The text with the name and password, or token, removed from every URL.
  ///
  /// Messages of git and Larder end up in logs and on screens that others see.
  public var withoutSecrets: String {
    // A password may contain an at sign, so everything up to the last one before the path is
    // removed.
    contains("://") ? replacing(/:\/\/[^\/\s]*@/, with: "://") : self
  }
}
