/// The scripts with which shells complete a line; each calls `larder complete`.
enum CompletionScript {
  static func text(for shell: String) -> String {
    switch shell {
    case "zsh": zsh
    case "fish": fish
    default: bash
    }
  }

  private static let bash = #"""
    _larder() {
      local current=${COMP_WORDS[COMP_CWORD]} line word
      COMPREPLY=()
      while IFS= read -r line; do
        case $line in
          :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
          :folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
          *)
            word=${line%%$'\t'*}
            # Inside quotes, bash adds the closing one; elsewhere a space needs its backslash.
            case $current in
              [\'\"]*) COMPREPLY+=("$word") ;;
              *) COMPREPLY+=("$(printf %q "$word")") ;;
            esac ;;
        esac
      done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" \
        "$(printf %s "$current" | tr -d "\\\\'\"")" 2>/dev/null)
    }
    complete -F _larder larder

    """#

  private static let zsh = #"""
    #compdef larder
    _larder() {
      local -a lines names shown
      local line
      lines=("${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
      case $lines[1] in
        :files) _files; return ;;
        :folders) _files -/; return ;;
      esac
      for line in $lines; do
        names+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  }")
      done
      (( $#names )) && compadd -U -l -d shown -a names
    }
    if [ "$funcstack[1]" = _larder ]; then
      _larder "$@"
    else
      compdef _larder larder
    fi

    """#

  private static let fish = #"""
    function __larder_complete
      set -l words (commandline -opc) (commandline -ct)
      set -l lines ($words[1] complete -- $words[2..-1] 2>/dev/null)
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

    """#
}
