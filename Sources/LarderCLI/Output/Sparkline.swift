import LarderModel

/// Returns a line of blocks whose heights show the numbers, from the lowest to the highest.
///
/// If there are more than `width` numbers, it shows the last ones. If all are equal, they are half
/// high.
func sparkline(_ numbers: [Number], width: Int) -> String {
  let shown = numbers.suffix(max(width, 1))
  guard let lowest = shown.min(), let highest = shown.max() else { return "" }
  let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  return shown.map { number in
    guard let height = (number - lowest).fraction(of: highest - lowest) else { return blocks[3] }
    return blocks[min(Int(height * Double(blocks.count)), blocks.count - 1)]
  }.joined()
}
