package io.credential.spring.autoconfigure.security;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Enforces {@link io.credential.spring.security.RequiresScope} on every bean. Startup fails if that is impossible, for
 * example because Spring Security is missing.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import({ScopeCheckConfiguration.class, MissingSecurityConfiguration.class})
public final class ScopeCheckAutoConfiguration {}
