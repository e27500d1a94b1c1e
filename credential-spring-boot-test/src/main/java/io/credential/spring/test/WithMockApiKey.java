package io.credential.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;
import org.springframework.security.test.context.support.TestExecutionEvent;
import org.springframework.security.test.context.support.WithSecurityContext;

/**
 * Runs a test as a caller with an API key that no registry needs to know, for example to call a service with {@link
 * io.credential.spring.security.RequiresScope}. Requests of MockMvc are authenticated by the key, too, but need a CSRF
 * token and create a session, as with other annotations of Spring Security. Prefer {@link
 * CredentialRequestPostProcessors#apiKey()} for them.
 *
 * @since 0.1.0
 * @see CredentialRequestPostProcessors#apiKey()
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@WithSecurityContext(factory = WithMockApiKeySecurityContextFactory.class)
public @interface WithMockApiKey {

    /** Returns the id of the key. */
    String id() default MockApiKeyBuilder.DEFAULT_ID;

    /** Returns the namespace of its registry. */
    String namespace() default MockApiKeyBuilder.DEFAULT_NAMESPACE;

    /** Returns the owner of the key. */
    String ownerId() default MockApiKeyBuilder.DEFAULT_OWNER;

    /** Returns the scopes of the key. */
    String[] scopes() default {};

    /** Returns when the security context is set; by default, before {@code @BeforeEach} methods. */
    @AliasFor(annotation = WithSecurityContext.class)
    TestExecutionEvent setupBefore() default TestExecutionEvent.TEST_METHOD;
}
