package io.credential.spring.test.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.webmvc.test.autoconfigure.MockMvcBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.security.test.context.TestSecurityContextHolder;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.test.web.servlet.setup.ConfigurableMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcConfigurerAdapter;
import org.springframework.web.context.WebApplicationContext;

import io.credential.spring.security.ApiKeyAuthentication;

/**
 * Lets MockMvc treat requests of a test with {@link io.credential.spring.test.WithMockApiKey} like requests with a key,
 * which need no CSRF token.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass({MockMvcBuilderCustomizer.class, TestSecurityContextHolder.class, CsrfFilter.class})
public final class MockApiKeyAutoConfiguration {

    @Bean
    MockMvcBuilderCustomizer credentialMockApiKeyCustomizer() {
        return builder -> builder.apply(new MockApiKeyConfigurer());
    }

    private static final class MockApiKeyConfigurer extends MockMvcConfigurerAdapter {

        @Override
        public RequestPostProcessor beforeMockMvcCreated(
                ConfigurableMockMvcBuilder<?> builder, WebApplicationContext context) {
            return request -> {
                if (TestSecurityContextHolder.getContext().getAuthentication() instanceof ApiKeyAuthentication) {
                    CsrfFilter.skipRequest(request);
                }
                return request;
            };
        }
    }
}
