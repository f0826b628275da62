package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static dev.cairn.model.Samples.pointers;
import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.cairn.model.Operation.Add;
import dev.cairn.model.Operation.Rename;
import dev.cairn.model.Operation.Retract;
import dev.cairn.model.Operation.Revise;
import java.util.List;

/** What the tests of operations say again and again; JSON stands with ' for ". */
final class OperationSamples {
  private OperationSamples() {}

  static Operation parse(String operation) {
    return Operation.parse(json(operation), new Allowance(Violations.MAX_LISTED));
  }

  static Add add(String members) {
    return assertInstanceOf(Add.class, parse("{'operation':'add'," + members + "}"));
  }

  static Revise revise(String members) {
    return assertInstanceOf(Revise.class, parse("{'operation':'revise'," + members + "}"));
  }

  static Retract retract(String members) {
    return assertInstanceOf(Retract.class, parse("{'operation':'retract'," + members + "}"));
  }

  static Rename rename(String members) {
    return assertInstanceOf(Rename.class, parse("{'operation':'rename'," + members + "}"));
  }

  /** The places that a wrong operation is refused for. */
  static List<String> violations(String operation) {
    return pointers(refused(() -> parse(operation)));
  }

  static Link to(String wref) {
    return new Link.To(Wref.parse(wref));
  }
}
