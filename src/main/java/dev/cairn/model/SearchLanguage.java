package dev.cairn.model;

import java.util.Set;

/**
 * The languages of full-text search: the text search configurations that every PostgreSQL has. See
 * {@code docs/search.md}, Language.
 */
public final class SearchLanguage {
  /** No language: words are compared as they are, without case and accents. */
  public static final String DEFAULT = "simple";

  /** The names of all languages. */
  public static final Set<String> NAMES =
      Set.of(
          DEFAULT,
          "arabic",
          "armenian",
          "basque",
          "catalan",
          "danish",
          "dutch",
          "english",
          "finnish",
          "french",
          "german",
          "greek",
          "hindi",
          "hungarian",
          "indonesian",
          "irish",
          "italian",
          "lithuanian",
          "nepali",
          "norwegian",
          "portuguese",
          "romanian",
          "russian",
          "serbian",
          "spanish",
          "swedish",
          "tamil",
          "turkish",
          "yiddish");

  private SearchLanguage() {}
}
