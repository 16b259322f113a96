/// Merges the content of one file: gets the common ancestor (nil when both sides added the file),
/// our content, their content and the path, and returns the merged content or nil for a conflict.
///
/// It is asked only for files that both sides changed or added, never for one that a side removed.
public typealias MergeDriver = (
  _ ancestor: [UInt8]?, _ ours: [UInt8]?, _ theirs: [UInt8]?, _ path: String
) -> [UInt8]?
