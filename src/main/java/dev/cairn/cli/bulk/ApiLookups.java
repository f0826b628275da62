package dev.cairn.cli.bulk;

import dev.cairn.client.BatchAnswer;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.RepositoryClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Looks entities up by {@code POST /things/batch}, 500 at a time. */
final class ApiLookups implements Lookups {
  private static final int MAX_WREFS = 500;
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,127}");

  private final RepositoryClient repository;

  ApiLookups(RepositoryClient repository) {
    this.repository = repository;
  }

  @Override
  public Map<String, Found> find(List<String> wrefs) {
    // Names that cannot exist would make the whole request invalid.
    var possible = wrefs.stream().filter(ApiLookups::canExist).toList();
    Map<String, Found> found = new HashMap<>();
    for (int from = 0; from < possible.size(); from += MAX_WREFS) {
      find(possible.subList(from, Math.min(from + MAX_WREFS, possible.size())), found);
    }
    return found;
  }

  /** Whether a text has the form of a shape's name. */
  static boolean isShape(String name) {
    return SHAPE.matcher(name).matches();
  }

  private static boolean canExist(String wref) {
    int slash = wref.indexOf('/');
    return slash > 0
        && isShape(wref.substring(0, slash))
        && NameRule.violation(wref.substring(slash + 1)).isEmpty();
  }

  private void find(List<String> wrefs, Map<String, Found> found) {
    BatchAnswer answer;
    try {
      answer = repository.getThings(wrefs);
    } catch (CairnException e) {
      if (!e.code().equals(ErrorCode.PAYLOAD_TOO_LARGE) || wrefs.size() == 1) {
        throw e;
      }
      int half = wrefs.size() / 2;
      find(wrefs.subList(0, half), found);
      find(wrefs.subList(half, wrefs.size()), found);
      return;
    }
    for (var thing : answer.items()) {
      found.put(thing.wref(), new Found(thing.data(), thing.active()));
    }
  }
}
