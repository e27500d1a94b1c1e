package io.credential.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.test.context.support.WithSecurityContextFactory;

import io.credential.apikey.ApiKey;

/** Creates the security context of {@link WithMockApiKey}. */
final class WithMockApiKeySecurityContextFactory implements WithSecurityContextFactory<WithMockApiKey> {

    private @Nullable BeanFactory beans;

    /** Not called for a test without an application. */
    @Autowired(required = false)
    void setBeans(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public SecurityContext createSecurityContext(WithMockApiKey annotation) {
        ApiKey key = new MockApiKeyBuilder()
                .id(annotation.id())
                .namespace(annotation.namespace())
                .ownerId(annotation.ownerId())
                .scopes(annotation.scopes())
                .build();
        return new SecurityContextImpl(MockApiKeyBuilder.authentication(key, beans));
    }
}
