package io.credential.spring.autoconfigure.web;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import io.credential.apikey.ApiKey;
import io.credential.webhook.signature.VerifiedWebhook;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/** Nobody fills a trusted argument from request parameters, however an application sets up Spring MVC. */
class TrustedArgumentsTests {

    private static final String WEBHOOK = "/webhook?algorithm=a&kid=k&timestamp=1&id=forged&sender=partner";
    private static final String KEY =
            "/key?id=forged&namespace=live&prefix=bk&ownerId=admin&scopes=keys:admin&usedSecondary=false";

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TrustedArgumentsAutoConfiguration.class))
            .withUserConfiguration(Controllers.class);

    @ParameterizedTest
    @ValueSource(strings = {WEBHOOK, KEY})
    void callWhenMvcIsEnabledThenRefused(String forged) {
        assertRefused(application.withUserConfiguration(Enabled.class), forged);
    }

    @ParameterizedTest
    @ValueSource(strings = {WEBHOOK, KEY})
    void callWhenMvcIgnoresConfigurersThenRefused(String forged) {
        assertRefused(application.withUserConfiguration(Support.class), forged);
    }

    @ParameterizedTest
    @ValueSource(strings = {WEBHOOK, KEY})
    void callWhenTheAdapterIsTheApplicationsThenRefused(String forged) {
        assertRefused(application.withUserConfiguration(OwnAdapter.class), forged);
    }

    private static void assertRefused(WebApplicationContextRunner runner, String forged) {
        runner.run(context -> {
            MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
            assertThatThrownBy(() -> mvc.perform(post(forged))).hasStackTraceContaining("resolveArgument");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(TrustingController.class)
    static class Controllers {}

    /** Of all arguments, Spring MVC fills these first: resolvers that configurers add come after that. */
    @RestController
    static class TrustingController {

        @PostMapping("/webhook")
        String webhook(@ModelAttribute VerifiedWebhook webhook) {
            return String.valueOf(webhook.id());
        }

        @PostMapping("/key")
        String key(@ModelAttribute ApiKey key) {
            return key.ownerId();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Enabled {}

    @Configuration(proxyBeanMethods = false)
    static class Support extends WebMvcConfigurationSupport {}

    @Configuration(proxyBeanMethods = false)
    static class OwnAdapter {

        @Bean
        RequestMappingHandlerMapping ownMapping() {
            return new RequestMappingHandlerMapping();
        }

        @Bean
        RequestMappingHandlerAdapter ownAdapter() {
            return new RequestMappingHandlerAdapter();
        }
    }
}
