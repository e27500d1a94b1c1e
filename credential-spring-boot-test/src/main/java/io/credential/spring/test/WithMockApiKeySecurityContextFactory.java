package io.credential.spring.test;

import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.test.context.support.WithSecurityContextFactory;

import io.credential.apikey.ApiKey;

/** Creates the security context of {@link WithMockApiKey}. */
final class WithMockApiKeySecurityContextFactory implements WithSecurityContextFactory<WithMockApiKey> {

    @Override
    public SecurityContext createSecurityContext(WithMockApiKey annotation) {
        ApiKey key = new MockApiKeyBuilder()
                .id(annotation.id())
                .namespace(annotation.namespace())
                .ownerId(annotation.ownerId())
                .scopes(annotation.scopes())
                .build();
        return new SecurityContextImpl(MockApiKeyBuilder.authentication(key));
    }
}
