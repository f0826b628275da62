package dev.cairn;

import static java.util.Comparator.comparing;

import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * Puts those tests of the packaged service together that need the same settings, and first those
 * that need none of their own, since Quarkus does not: it starts the service again where they
 * differ.
 */
public final class ByProfile implements ClassOrderer {
  @Override
  public void orderClasses(ClassOrdererContext context) {
    context
        .getClassDescriptors()
        .sort(
            comparing((ClassDescriptor test) -> profile(test.getTestClass()))
                .thenComparing(test -> test.getTestClass().getName()));
  }

  private static String profile(Class<?> test) {
    if (test == null) {
      return "";
    }
    var profile = test.getDeclaredAnnotation(TestProfile.class);
    return profile == null ? profile(test.getSuperclass()) : profile.value().getName();
  }
}
