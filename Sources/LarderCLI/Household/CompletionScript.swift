/// The scripts with which shells complete a line; each calls `larder complete`.
///
/// Names come from others, and bash puts what it gets into the line as it is. So its script gets words
/// that are quoted already for the place where they go; zsh and fish quote by themselves.
enum CompletionScript {
  static func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let bash = #"""
    _larder() {
      local current=${COMP_WORDS[COMP_CWORD]} line
      COMPREPLY=()
      while IFS= read -r line; do
        case $line in
          :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
          :folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
          *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
      done < <("${COMP_WORDS[0]}" complete --shell bash -- \
        "${COMP_LINE:0:COMP_POINT}" "$current" 2>/dev/null)
    }
    complete -F _larder larder

    """#

  private static let zsh = #"""
    #compdef larder
    _larder() {
      local -a lines names shown
      local line
      lines=("${(@f)$("${words[1]}" complete --shell zsh -- "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
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

    """#
}
