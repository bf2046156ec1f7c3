import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.A4Solution;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import kodkod.engine.satlab.SATFactory;

/**
 * Executes every command of each module whose file stands on a line of stdin, by SAT4J. Writes one line a command, `command TAB
 * sat|unsat`, then `done`; or for a module that cannot be had `error TAB why`.
 */
public final class AnswerModules {
  public static void main(String[] arguments) throws Exception {
    A4Options options = new A4Options();
    options.solver = SATFactory.get("sat4j");
    options.noOverflow = true;
    // Modules have few atoms that could stand for each other: breaking symmetries costs more than it saves.
    options.symmetry = 0;
    BufferedReader files = new BufferedReader(new InputStreamReader(System.in));
    for (String file = files.readLine(); file != null; file = files.readLine()) {
      try {
        answer(file, options);
        System.out.println("done");
      } catch (Exception error) {
        System.out.println("error\t" + String.valueOf(error).replaceAll("\\s+", " "));
      }
      System.out.flush();
    }
  }

  private static void answer(String file, A4Options options) throws Exception {
    CompModule module = CompUtil.parseEverything_fromFile(A4Reporter.NOP, new HashMap<>(), file);
    for (Command command : module.getAllCommands()) {
      A4Solution solution =
          TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, module.getAllReachableSigs(), command, options);
      System.out.println(command.label + "\t" + (solution.satisfiable() ? "sat" : "unsat"));
    }
  }
}
