package io.credential.spring.test;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.test.web.support.WebTestUtils;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.web.context.support.WebApplicationContextUtils;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.ApiKeyAuthentication;

/**
 * Authenticates a request of MockMvc with an API key, with the same authentication as a token would. As with a token, the
 * request needs no CSRF token and creates no session. The key replaces any other caller of the request; only if there is
 * one, the key may be stored in its session. Not thread-safe.
 *
 * <p>No token is verified. Therefore, these are not tested: whether the chain accepts keys, and of this namespace; the
 * refusal of plain HTTP, of other networks and of a second credential; rate limits and their headers; audit events. The times of the key
 * are those of the system clock.
 *
 * @since 0.1.0
 * @see CredentialRequestPostProcessors#apiKey()
 */
public final class ApiKeyRequestPostProcessor implements RequestPostProcessor {

    private final MockApiKeyBuilder key = new MockApiKeyBuilder();

    ApiKeyRequestPostProcessor() {}

    /** Sets the id of the key; default: {@code 0123456789abcdef}. */
    public ApiKeyRequestPostProcessor id(String id) {
        key.id(id);
        return this;
    }

    /** Sets the namespace of its registry; default: {@code live}. */
    public ApiKeyRequestPostProcessor namespace(String namespace) {
        key.namespace(namespace);
        return this;
    }

    /** Sets the owner of the key; default: {@code user}. */
    public ApiKeyRequestPostProcessor ownerId(String ownerId) {
        key.ownerId(ownerId);
        return this;
    }

    /** Sets the name of the key; default, and null: none. */
    public ApiKeyRequestPostProcessor name(@Nullable String name) {
        key.name(name);
        return this;
    }

    /** Sets the scopes of the key; default: none. */
    public ApiKeyRequestPostProcessor scopes(String... scopes) {
        key.scopes(scopes);
        return this;
    }

    /** Sets the metadata of the key, in plain JSON types; default: none. */
    public ApiKeyRequestPostProcessor metadata(Map<String, Object> metadata) {
        key.metadata(metadata);
        return this;
    }

    @Override
    public MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
        return authenticate(request, key.build());
    }

    static MockHttpServletRequest authenticate(MockHttpServletRequest request, ApiKey key) {
        ApiKeyAuthentication authentication = MockApiKeyBuilder.authentication(
                key, WebApplicationContextUtils.getWebApplicationContext(request.getServletContext()));
        authentication.setDetails(new WebAuthenticationDetails(request));
        SecurityContext context = new SecurityContextImpl(authentication);
        CsrfFilter.skipRequest(request);
        // As the filter does: the repository of Spring Security would create a session.
        new RequestAttributeSecurityContextRepository().saveContext(context, request, new MockHttpServletResponse());
        SecurityContext loaded = WebTestUtils.getSecurityContextRepository(request)
                .loadDeferredContext(request)
                .get();
        return authentication.equals(loaded.getAuthentication())
                ? request
                // The chain does not look there, or has found another caller before.
                : SecurityMockMvcRequestPostProcessors.securityContext(context).postProcessRequest(request);
    }
}
