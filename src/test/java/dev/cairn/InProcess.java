package dev.cairn;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an HTTP test that needs the service in its own process, and so does not run against the
 * packaged application, as all others do.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface InProcess {
  /** What it does there. */
  String value();
}
