/// A function that merges one file.
///
/// It gets the common ancestor (nil if both sides added the file), our content, their content and
/// the path, and returns the merged content, or nil for a conflict.
///
/// It is only called for files that both sides changed or added, never for a file that one side
/// removed.
public typealias MergeDriver = (
  _ ancestor: [UInt8]?, _ ours: [UInt8]?, _ theirs: [UInt8]?, _ path: String
) -> [UInt8]?
