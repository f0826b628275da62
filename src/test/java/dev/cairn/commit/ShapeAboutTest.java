package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a shape says its entities are about. */
@HttpTest
@QuarkusTest
class ShapeAboutTest {
  private static String shapeAbout(String name, String about) {
    return "{'operation':'add','kind':'shape','name':'%s','data':{'about':%s,'fields':{'n?':'number'}}}"
        .formatted(name, about);
  }

  private static String redefine(String name, String about) {
    return revise("Shape/" + name, "{'about':%s,'fields':{'n?':'number'}}".formatted(about));
  }

  @Test
  void false_allows_no_assertions() {
    var repository = repositoryWith(shapeAbout("S", "false"), add("S/a", "{}"));

    refused(
            repository,
            assertion("S/b", "'S/a'", "{'n':'x'}"),
            SHAPE_MISMATCH,
            "/operations/0/about",
            "/operations/0/data/n")
        .body("detail", containsString("about nothing"))
        .body("details.shape", equalTo("S"));
  }

  @Test
  void true_requires_a_target() {
    var repository = repositoryWith(shapeAbout("S", "true"), shape("T"), add("T/a", "{}"));

    refused(repository, add("S/a", "{}"), SHAPE_MISMATCH, "/operations/0/about");
    applied(
        repository,
        assertion("S/a", "'T/a'", "{}"),
        assertion("S/b", "{'set':['T/a']}", "{}"),
        assertion("S/c", "'S/a'", "{}"));
  }

  @Test
  void a_list_names_shapes_and_patterns() {
    var repository =
        repositoryWith(
            shape("Sensor"),
            shape("Room"),
            shapeAbout("Note", "['Sensor','Room/north*','Set']"),
            add("Sensor/a", "{}"),
            add("Room/north-1", "{}"),
            add("Room/south", "{}"));

    applied(
        repository,
        assertion("Note/1", "'Sensor/a'", "{}"),
        assertion("Note/2", "'Room/north-1'", "{}"),
        assertion("Note/3", "{'set':['Room/south']}", "{}"));
    refused(
            repository,
            ops(
                assertion("Note/4", "'Room/south'", "{}"),
                add("Note/5", "{}"),
                assertion("Note/6", "{'list':['Sensor/a']}", "{}"),
                assertion("Note/7", "'Note/1'", "{}")),
            SHAPE_MISMATCH,
            "/operations/0/about",
            "/operations/1/about",
            "/operations/2/about",
            "/operations/3/about")
        .body("detail", containsString("`Sensor/…` or `Set/…` or `Room/north*`"));
    assertVerified(repository);
  }

  @Test
  void a_missing_target_is_reported_together_with_the_data() {
    var repository = repositoryWith(shape("S"), shapeAbout("Note", "['S']"));

    refused(
        repository,
        assertion("Note/a", "'S/none'", "{'n':'x'}"),
        NOT_FOUND,
        "/operations/0/about",
        "/operations/0/data/n");
    refused(repository, assertion("Note/a", "'S/none'", "{}"), NOT_FOUND, "/operations/0/about");
  }

  @Test
  void missing_members_are_reported_together_with_the_data() {
    var repository = repositoryWith(shape("S"), shapeAbout("Note", "['Set']"), add("S/a", "{}"));

    refused(
        repository,
        assertion("Note/a", "{'set':['S/none','S/a','S/other']}", "{'n':'x'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/about/set/0",
        "/operations/0/about/set/2",
        "/operations/0/data/n");
    applied(repository, shapeAbout("Team", "['Set/team-*']"));
    refused(
        repository,
        assertion("Team/a", "{'set':['S/none','S/a']}", "{'n':'x'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/about/set/0",
        "/operations/0/data/n");
  }

  @Test
  void a_missing_shape_is_reported_together_with_a_missing_target() {
    var repository = repositoryWith(shape("S"), add("S/a", "{}"));

    refused(
        repository,
        assertion("None/a", "'S/none'", "{}"),
        NOT_FOUND,
        "/operations/0/name",
        "/operations/0/about");
    refused(repository, assertion("None/a", "'S/a'", "{}"), NOT_FOUND, "/operations/0/name");
  }

  @Test
  void a_change_of_the_rule_binds_new_versions_only() {
    var repository =
        repositoryWith(
            shape("S"),
            shape("T"),
            add("T/a", "{}"),
            add("T/b", "{}"),
            add("S/thing", "{}"),
            assertion("S/note", "'T/a'", "{}"));

    applied(repository, redefine("S", "['S','T/b*']"));

    thing(repository, "S/note").body("aboutWref", equalTo("T/a@v1"));
    refused(repository, revise("S/note", "{'n':1}"), SHAPE_MISMATCH, "/operations/0/about");
    refused(repository, revise("S/thing", "{'n':1}"), SHAPE_MISMATCH, "/operations/0/about");
    applied(repository, retract("S/note"));
    applied(repository, active("S/note", true));
    applied(repository, rename("S/note", "renamed"));
    applied(repository, rename("T/a", "b-now"), revise("S/renamed", "{'n':1}"));
    applied(repository, rename("T/b-now", "c"));
    refused(repository, revise("S/renamed", "{'n':2}"), SHAPE_MISMATCH, "/operations/0/about");
    applied(repository, redefine("S", "false"));
    applied(repository, revise("S/thing", "{'n':1}"));
    applied(repository, revise("Shape/S", "{'fields':{'n?':'number'}}"));
    applied(repository, revise("S/renamed", "{'n':2}"));
    assertVerified(repository);
  }

  @Test
  void shapes_in_the_rule_follow_renames() {
    var repository =
        repositoryWith(shape("S"), shapeAbout("Note", "['S','S/x*']"), add("S/a", "{}"));
    applied(repository, assertion("Note/1", "'S/a'", "{}"));

    applied(
        repository,
        rename("S", "R"),
        assertion("Note/2", "'R/a'", "{}"),
        revise("Note/1", "{'n':1}"));

    thing(repository, "Shape/Note").body("data.about", contains("R", "S/x*"));
    applied(repository, assertion("Note/3", "'R/a'", "{}"));
    applied(repository, shape("S"), add("S/a", "{}"), add("S/x1", "{}"));
    refused(repository, assertion("Note/4", "'S/a'", "{}"), SHAPE_MISMATCH, "/operations/0/about");
    applied(repository, assertion("Note/4", "'S/x1'", "{}"));
    assertVerified(repository);
  }

  @Test
  void targets_in_other_repositories_count_by_their_shape_and_name() {
    var there = repositoryWith(shape("S"), shape("T"), add("S/a", "{}"), add("T/a", "{}"));
    var here = repositoryWith(shapeAbout("Note", "['S']"));

    applied(here, assertion("Note/1", "'" + canonical(there) + "S/a'", "{}"));
    refused(
        here,
        assertion("Note/2", "'" + canonical(there) + "T/a'", "{}"),
        SHAPE_MISMATCH,
        "/operations/0/about");
    applied(here, revise("Note/1", "{'n':1}"));
  }

  @Test
  void the_form_of_the_rule_is_checked() {
    var repository = repositoryWith(shape("X"));
    var entries =
        IntStream.range(0, 101).mapToObj(i -> "'S" + i + "'").collect(Collectors.joining(","));

    for (var about : new String[] {"[]", "null", "'S'", "1", "{}", "[" + entries + "]"}) {
      refused(repository, shapeAbout("Note", about), VALIDATION_ERROR, "/operations/0/data/about");
    }
    refused(
        repository,
        shapeAbout("Note", "['S',7,'S*','S/{','S/**','**']"),
        VALIDATION_ERROR,
        "/operations/0/data/about/1",
        "/operations/0/data/about/2",
        "/operations/0/data/about/3");
    applied(
        repository, shapeAbout("Note", "[" + entries.substring(0, entries.lastIndexOf(',')) + "]"));
  }

  @Test
  void describe_shows_the_rule_and_its_examples_keep_it() {
    var repository =
        repositoryWith(
            shape("S"),
            add("S/a", "{}"),
            shapeAbout("Note", "['S','S/**']"),
            shapeAbout("Alone", "false"),
            shapeAbout("Any", "true"),
            shapeAbout("Nowhere", "['None']"));

    admin()
        .get(repository + "/describe")
        .then()
        .statusCode(200)
        .body("shapes.find { it.name == 'Note' }.about", contains("S", "S/**"))
        .body("shapes.find { it.name == 'Note' }.exampleOperations[0].about", equalTo("S/a"))
        .body("shapes.find { it.name == 'Alone' }.about", equalTo(false))
        .body("shapes.find { it.name == 'Any' }.about", equalTo(true))
        .body("shapes.find { it.name == 'Any' }.exampleOperations[0].about", equalTo("S/a"))
        .body("shapes.find { it.name == 'Nowhere' }.exampleOperations", hasSize(0));
  }
}
