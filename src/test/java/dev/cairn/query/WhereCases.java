package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.encoded;
import static dev.cairn.query.Sample.wrefs;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.Checked;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;

/** A repository whose one shape has fields of each type, for the tests of {@code where}. */
abstract class WhereCases {
  static final String SHAPE =
      """
      {'operation':'add','kind':'shape','name':'P','data':{'fields':{
        'text?':'string', 'n?':'number', 'flag?':'boolean', 'near?':'wref', 'any?':'any',
        'tags?':['string'], 'numbers?':['number'], 'nears?':['wref'], 'grid?':{'type':'array','items':['number']},
        'list?':'array', 'box?':{'width?':'number','lid?':{'color?':'string'}},
        'parts?':[{'name?':'string','size?':'number'}]}}}
      """;

  String repository;

  @BeforeEach
  void shape() {
    repository = Api.newRepository();
    commit(repository, SHAPE);
  }

  /** Adds {@code P/a}, {@code P/b}, … with these data. */
  void add(String... data) {
    var operations = new ArrayList<String>();
    for (int i = 0; i < data.length; i++) {
      operations.add("{'operation':'add','name':'P/%c','data':%s}".formatted('a' + i, data[i]));
    }
    commit(repository, String.join(",", operations));
  }

  String url(String route, String... where) {
    return repository
        + "/"
        + route
        + "?shape=P"
        + Arrays.stream(where).map(w -> "&where=" + encoded(w)).collect(Collectors.joining());
  }

  /**
   * The names that fulfil all predicates, without separators. HEAD finds values by an index, a
   * moment by the text of the data.
   */
  String found(String... where) {
    var names = names(url("query", where));
    assertEquals(names, names(url("head", where)));
    int seq = Checked.read(null, repository).get("repoSeq").intValue();
    assertEquals(names, names(url("query", where) + "&at=" + seq));
    assertEquals(names.length(), Checked.read(null, url("count", where)).get("count").intValue());
    return names;
  }

  private static String names(String url) {
    return String.join("", wrefs(url)).replace("P/", "");
  }
}
