package dev.cairn;

import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test that speaks HTTP to the running service on its own PostgreSQL. */
@WithTestResource(value = TestDatabase.class, scope = TestResourceScope.GLOBAL)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface HttpTest {}
