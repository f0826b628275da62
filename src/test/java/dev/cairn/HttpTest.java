package dev.cairn;

import dev.cairn.openapi.Contract;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that speaks HTTP to the running service on its own PostgreSQL. Every answer that it
 * gets is held against the OpenAPI document.
 */
@ExtendWith(Contract.class)
@WithTestResource(value = TestDatabase.class, scope = TestResourceScope.GLOBAL)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface HttpTest {}
