package io.credential.spring.web;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Converts exceptions of API-key registries and the webhook dispatcher in controllers to {@code
 * application/problem+json} and the stable {@code code}. To use it, add {@code
 * @Import(CredentialExceptionHandler.class)}. Errors with status 500 are also logged.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@Import({ApiKeyExceptionHandler.class, WebhookDispatcherExceptionHandler.class})
public final class CredentialExceptionHandler {}
