function __larder_complete
  set -l program (commandline -opc)[1]
  set -l lines ($program complete --shell fish -- (commandline -cp | string collect) 2>/dev/null)
  switch "$lines[1]"
    case :files
      __fish_complete_path (commandline -ct)
    case :folders
      __fish_complete_directories (commandline -ct)
    case '*'
      printf '%s\n' $lines
  end
end
complete -c larder -f -a '(__larder_complete)'
