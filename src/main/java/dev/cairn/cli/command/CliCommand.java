package dev.cairn.cli.command;

import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.ProcessContext;
import dev.cairn.client.CairnClient;
import dev.cairn.client.Credentials;
import dev.cairn.client.RepositoryClient;
import dev.cairn.client.Whoami;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base of every command that does something.
 *
 * <h2>How to add a command</h2>
 *
 * <ol>
 *   <li>Write a class {@code <Name>Command} in the package of its topic ({@code cli.account} and so
 *       on). It extends this class, has a constructor without parameters that is not private, and
 *       {@code @Command(name = …, description = …)}. The first line of the description is one
 *       sentence that begins with a verb (it is the line in {@code cairn help}). Examples go into
 *       {@code footer}, each line a command line. {@code @Option} and {@code @Parameters} are
 *       private fields with a description each; {@code paramLabel} is in angle brackets. Option
 *       names of {@link GlobalOptions} are taken.
 *   <li>Implement {@link #run}. It calls {@link #client()} and gives the records that it gets to
 *       {@link #output()}, which escapes, formats and cuts. Nothing writes to the standard streams
 *       in another way. Results go to {@code list}, {@code array}, {@code details}, {@code
 *       document} or {@code done}, so that {@code --json} and {@code --jsonl} work; messages to
 *       {@code note}.
 *   <li>Errors: exceptions of the client pass through and become the exit code and the message.
 *       What the command itself finds wrong is a {@link CommandFailure}; a wrong combination of
 *       options is {@link #usage}.
 *   <li>What cannot be undone is asked for: {@code @Mixin private Confirmation confirmation;}, and
 *       {@link #confirm} before the request.
 *   <li>A group, such as {@code thing}, extends {@link CommandGroup} and names the classes of its
 *       subcommands in its annotation.
 *   <li>Enter a command of the first level in {@code cli.CommandIndex}, then run {@code
 *       CliPageTest} with {@code -Ddocs.write=true}, which writes it into {@code docs/cli.md}.
 *   <li>Test it against a JDK {@code HttpServer} with {@code CliRun} (see {@code
 *       WhoamiCommandTest}).
 * </ol>
 *
 * <p>Fields that cost something to make are made in {@link #run}: {@code cairn --help} instantiates
 * no command but must load each class.
 */
@Command
public abstract class CliCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  private Settings settings;
  private CairnClient client;

  /** Only for subclasses. */
  protected CliCommand() {}

  /**
   * Does what the command is for.
   *
   * @throws IOException if a file cannot be read or written
   * @throws InterruptedException if the process is told to end
   */
  protected abstract void run() throws IOException, InterruptedException;

  /** Runs it; whatever it throws becomes an exit code in {@link Errors}. */
  @Override
  public final Integer call() throws IOException, InterruptedException {
    root().globals().check();
    try {
      run();
      return ExitCode.OK.code();
    } finally {
      if (client != null) {
        client.close();
      }
    }
  }

  /** The client of the chosen server, with the caller's token; closed after {@link #run}. */
  protected final CairnClient client() {
    if (client == null) {
      client = Connection.open(settings(), output(), root().globals().isVerbose());
    }
    return client;
  }

  /** A client of a server without any token, which the command closes. */
  protected final CairnClient anonymousClient(URI server) {
    return client(server, Credentials.none());
  }

  /** A client of a server with credentials of the command's own, which the command closes. */
  protected final CairnClient client(URI server, Credentials credentials) {
    return Connection.open(server, credentials, output(), root().globals().isVerbose());
  }

  /**
   * The chosen repository.
   *
   * @throws CommandFailure if none was chosen
   */
  protected final RepositoryClient repository() {
    var name = settings().repository();
    return client().repository(name.org(), name.repo());
  }

  /** The caller in messages and files: the e-mail address of its account, otherwise its kind. */
  protected static String accountName(Whoami whoami) {
    return whoami.account() == null ? whoami.kind() : whoami.account().email();
  }

  /** What picocli knows of the command. */
  protected final CommandSpec spec() {
    return spec;
  }

  private RootCommand root() {
    return (RootCommand) spec.root().userObject();
  }

  /** What the process was given. */
  protected final ProcessContext context() {
    return root().context();
  }

  /** What the command writes to. */
  protected final Output output() {
    return root().output();
  }

  /** The server, the profile and the repository. */
  protected final Settings settings() {
    if (settings == null) {
      settings = new Settings(context(), root().globals());
    }
    return settings;
  }

  /** A command line with every command, for what describes them. */
  protected final CommandLine allCommands() {
    return root().allCommands();
  }

  /**
   * Asks before what cannot be undone.
   *
   * @param question what will be done, as a question: {@code Delete the repository demo/world?}
   * @throws CommandFailure if the answer is not yes, or nobody can be asked
   */
  protected final void confirm(Confirmation confirmation, String question) {
    confirmation.ask(context(), question, commandLine());
  }

  /** The command as it was called, for messages. */
  private String commandLine() {
    var line = new StringBuilder(spec.qualifiedName());
    for (var argument : spec.commandLine().getParseResult().originalArgs()) {
      if (!spec.qualifiedName().contains(" " + argument)) {
        line.append(' ').append(argument);
      }
    }
    return line.toString();
  }

  /**
   * A wrong command line that picocli cannot find: the command's help is named.
   *
   * @param sentence what was wrong, and what is expected
   */
  protected final ParameterException usage(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
