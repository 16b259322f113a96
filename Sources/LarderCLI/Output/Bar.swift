/// Returns a small bar of `width` columns, filled to a fraction in eighths of a column.
///
/// Any fraction above zero shows at least one eighth, and only a full one fills the bar.
func bar(_ fraction: Double, width: Int) -> String {
  guard width > 0 else { return "" }
  let steps = width * 8
  let known = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  var filled = Int((known * Double(steps)).rounded())
  if known > 0 { filled = max(filled, 1) }
  if known < 1 { filled = min(filled, steps - 1) }
  let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  let drawn = String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  return drawn + String(repeating: "░", count: width - (filled + 7) / 8)
}
