package dev.cairn;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** {@code docs/architecture.md}, Tests: what speaks HTTP holds for the packaged service too. */
class PackagedTest {
  private static final DescribedPredicate<JavaClass> RUN_PACKAGED =
      DescribedPredicate.describe(
          "run packaged (a line in Packaged of its package) or marked with @InProcess",
          test ->
              test.isAnnotatedWith(InProcess.class)
                  || test.getSubclasses().stream()
                      .anyMatch(sub -> sub.isAnnotatedWith(QuarkusIntegrationTest.class)));

  @Test
  void every_http_test_runs_packaged_or_says_why_it_cannot() {
    classes()
        .that()
        .areAnnotatedWith(QuarkusTest.class)
        .and()
        .haveSimpleNameEndingWith("Test")
        .should(be(RUN_PACKAGED))
        .check(ArchConfiguration.withThreadLocalScope(PackagedTest::tests));
  }

  /** Without what they use, which takes most of the time to read. */
  private static JavaClasses tests(ArchConfiguration configuration) {
    configuration.setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(new ImportOption.OnlyIncludeTests())
        .importPackages("dev.cairn");
  }
}
