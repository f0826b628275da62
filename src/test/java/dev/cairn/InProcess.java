package dev.cairn;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test of the running service that needs it in its own process, or needs nothing of it but
 * its schema, and so does not run against the packaged application, as all others do.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface InProcess {
  /** What it does there. */
  String value();
}
