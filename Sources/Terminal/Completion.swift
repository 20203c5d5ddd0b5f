/// The shells that completions can be made for.
package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

extension CommandTable {
  /// A script that teaches a shell this table: sub-commands, options, and the values that are one
  /// of a few or that the table offers.
  package func completion(for shell: Shell) -> String {
    let nodes = completionNodes(root, path: [])
    return switch shell {
    case .bash: CompletionScript.bash(root.name, nodes)
    case .zsh: CompletionScript.zsh(root.name, nodes)
    case .fish: CompletionScript.fish(root.name, nodes)
    }
  }

  private func completionNodes(_ command: Command<Action>, path: [String]) -> [CompletionNode] {
    var node = CompletionNode(
      path: path.joined(separator: " "),
      words: command.subcommands.map { ($0.name, $0.summary) },
      options: command.options + globalOptions + [Option("help", short: "h", "Show this help")],
      choices: command.arguments.flatMap(\.choices),
      takesFile: command.arguments.contains(where: \.isFile))
    var nodes: [CompletionNode] = []
    for offer in command.arguments.flatMap(\.offers) {
      switch offer {
      case .nothing: break
      case .words(let words): node.choices += words
      case .column(let call): node.calls.append(call)
      case .commands:
        node.words += root.subcommands.map { ($0.name, $0.summary) }
        // As if they stood below this command: what is below them comes next.
        for named in root.subcommands where !named.subcommands.isEmpty {
          var below = node
          below.path = (path + [named.name]).joined(separator: " ")
          below.words = named.subcommands.map { ($0.name, $0.summary) }
          below.choices = []
          nodes.append(below)
        }
      }
    }
    return [node] + nodes
      + command.subcommands.flatMap { completionNodes($0, path: path + [$0.name]) }
  }
}

/// What can follow a command.
struct CompletionNode {
  var path: String
  var words: [(name: String, summary: String)]
  var options: [Option]
  var choices: [String]
  /// Calls of the program that write what else there is.
  var calls: [String] = []
  var takesFile: Bool
}

enum CompletionScript {
  /// All three scripts walk the words typed so far in the same way: options are passed over with
  /// their values, and what is left names the command. This is the list of those with values.
  private static func valued(_ nodes: [CompletionNode]) -> [String] {
    var names: Set<String> = []
    for option in nodes.flatMap(\.options) where option.value != nil {
      names.insert("--\(option.name)")
      if let short = option.short { names.insert("-\(short)") }
    }
    return names.sorted()
  }

  private static func valueChoices(_ nodes: [CompletionNode]) -> [(names: [String], [String])] {
    var seen: Set<String> = []
    return nodes.flatMap(\.options).compactMap { option in
      guard !option.choices.isEmpty, seen.insert(option.name).inserted else { return nil }
      return (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? []), option.choices)
    }
  }

  /// Options whose values a call of the program writes.
  private static func valueCalls(_ nodes: [CompletionNode]) -> [(names: [String], String)] {
    var seen: Set<String> = []
    return nodes.flatMap(\.options).compactMap { option in
      guard case .column(let call) = option.offers, seen.insert(option.name).inserted else {
        return nil
      }
      return (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? []), call)
    }
  }

  /// A shell's command that writes the values of such a call, one a line.
  private static func lines(_ program: String, _ call: String) -> String {
    "\(program) \(call) 2>/dev/null | tail -n +2"
  }

  private static func paths(_ nodes: [CompletionNode]) -> [String] {
    nodes.map(\.path).filter { !$0.isEmpty }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  static func bash(_ program: String, _ nodes: [CompletionNode]) -> String {
    let values = valueChoices(nodes).map { names, choices in
      """
          \(names.joined(separator: "|")))
            COMPREPLY=($(compgen -W \(quoted(choices.joined(separator: " "))) -- "$cur"))
            return ;;
      """
    }
    let called = valueCalls(nodes).map { names, call in
      """
          \(names.joined(separator: "|")))
            COMPREPLY=($(compgen -W "$(\(lines("\"${COMP_WORDS[0]}\"", call)))" -- "$cur"))
            return ;;
      """
    }
    let cases = nodes.map { node in
      let words = node.words.map(\.name) + node.choices
      let options = node.options.map { "--\($0.name)" }
      let calls = node.calls.map { "\" $(\(lines("\"${COMP_WORDS[0]}\"", $0)))\"" }
      return """
            \(quoted(node.path)))
              words=\(quoted(words.joined(separator: " ")))\(calls.joined())
              options=\(quoted(options.joined(separator: " ")))
              files=\(node.takesFile ? 1 : 0) ;;
        """
    }
    return """
      # bash completion for \(program): source this, or put it into
      # ~/.local/share/bash-completion/completions/\(program)
      _\(program)() {
        local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
        local path="" words="" options="" files=0 i
        for ((i = 1; i < COMP_CWORD; i++)); do
          case "${COMP_WORDS[i]}" in
            \(valued(nodes).joined(separator: "|"))) ((i++)) ;;
            -*) ;;
            *)
              case "${path:+$path }${COMP_WORDS[i]}" in
                \(paths(nodes).map(quoted).joined(separator: "|")))
                  path="${path:+$path }${COMP_WORDS[i]}" ;;
              esac ;;
          esac
        done
        case "$prev" in
      \((values + called).joined(separator: "\n"))
          \(valued(nodes).joined(separator: "|")))
            COMPREPLY=($(compgen -f -- "$cur"))
            return ;;
        esac
        case "$path" in
      \(cases.joined(separator: "\n"))
        esac
        if [[ $cur == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$cur"))
        else
          COMPREPLY=($(compgen -W "$words" -- "$cur"))
          ((files)) && COMPREPLY+=($(compgen -f -- "$cur"))
        fi
      }
      complete -o filenames -F _\(program) \(program)

      """
  }

  static func zsh(_ program: String, _ nodes: [CompletionNode]) -> String {
    func described(_ name: String, _ help: String) -> String {
      quoted(name + ":" + help.split(separator: ":").joined(separator: "\\:"))
    }
    let values = valueChoices(nodes).map { names, choices in
      "    \(names.joined(separator: "|"))) compadd -- \(choices.joined(separator: " ")); return ;;"
    }
    let called = valueCalls(nodes).map { names, call in
      "    \(names.joined(separator: "|"))) compadd -- ${(f)\"$(\(lines("$words[1]", call)))\"}; "
        + "return ;;"
    }
    let cases = nodes.map { node in
      let words =
        node.words.map { described($0.name, $0.summary) }
        + node.choices.map { described($0, "") }
        + node.calls.map { "${(f)\"$(\(lines("$words[1]", $0)))\"}" }
      let options = node.options.map { described("--\($0.name)", $0.help) }
      return """
            \(quoted(node.path)))
              found=(\(words.joined(separator: " ")))
              options=(\(options.joined(separator: " ")))
              files=\(node.takesFile ? 1 : 0) ;;
        """
    }
    return """
      #compdef \(program)
      # zsh completion for \(program): put this into a folder of $fpath as _\(program)
      _\(program)() {
        local at="" files=0 i
        local -a found options
        for ((i = 2; i < CURRENT; i++)); do
          case "${words[i]}" in
            \(valued(nodes).joined(separator: "|"))) ((i++)) ;;
            -*) ;;
            *)
              case "${at:+$at }${words[i]}" in
                \(paths(nodes).map(quoted).joined(separator: "|")))
                  at="${at:+$at }${words[i]}" ;;
              esac ;;
          esac
        done
        case "${words[CURRENT-1]}" in
      \((values + called).joined(separator: "\n"))
          \(valued(nodes).joined(separator: "|"))) _files; return ;;
        esac
        case "$at" in
      \(cases.joined(separator: "\n"))
        esac
        if [[ $PREFIX == -* ]]; then
          _describe option options
        else
          ((${#found})) && _describe command found
          ((files)) && _files
        fi
      }
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _\(program) "$@"
      else
        compdef _\(program) \(program)
      fi

      """
  }

  static func fish(_ program: String, _ nodes: [CompletionNode]) -> String {
    var lines = [
      "# fish completion for \(program): put this into ~/.config/fish/completions/\(program).fish",
      "function __\(program)_path",
      "    set -l path",
      "    set -l skip 0",
      "    for word in (commandline -opc)[2..-1]",
      "        if test $skip = 1",
      "            set skip 0",
      "        else if contains -- $word \(valued(nodes).joined(separator: " "))",
      "            set skip 1",
      "        else if not string match -q -- '-*' $word",
      "            if contains -- \"$(string join ' ' $path $word)\" "
        + paths(nodes).map(quoted).joined(separator: " "),
      "                set -a path $word",
      "            end",
      "        end",
      "    end",
      "    string join ' ' -- $path",
      "end",
      "complete -c \(program) -f",
    ]
    for node in nodes {
      let test = "test \"$(__\(program)_path)\" = \(quoted(node.path))"
      let start = "complete -c \(program) -n \(quoted(test))"
      lines += node.words.map { "\(start) -a \(quoted($0.name)) -d \(quoted($0.summary))" }
      lines += node.choices.map { "\(start) -a \(quoted($0))" }
      lines += node.calls.map { "\(start) -a \(quoted("(\(Self.lines(program, $0)))"))" }
      if node.takesFile { lines.append("\(start) -F") }
      for option in node.options {
        var line = "\(start) -l \(quoted(option.name)) -d \(quoted(option.help))"
        if let short = option.short { line += " -s \(short)" }
        var isOpen = option.choices.isEmpty
        if case .column = option.offers { isOpen = false }
        if option.value != nil { line += isOpen ? " -r -F" : " -x" }
        let choices = option.choices.joined(separator: " ")
        if !choices.isEmpty { line += " -a \(quoted(choices))" }
        if case .column(let call) = option.offers {
          line += " -a \(quoted("(\(Self.lines(program, call)))"))"
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
