package io.credential.spring.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.test.context.TestSecurityContextHolder;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers.springSecurity;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

class ConsoleAutoConfigurationTests {

    private static final String[] EVERYTHING = {
        "CREDENTIAL_VIEW", "CREDENTIAL_PAYLOADS", "CREDENTIAL_OPERATE", "CREDENTIAL_KEYS", "CREDENTIAL_ADMIN"
    };

    private final WebApplicationContextRunner off = ConsoleRunner.withSecurity().withBean(ConsoleRunner.Things.class);

    private final WebApplicationContextRunner on = off.withPropertyValues(ConsoleRunner.ENABLED);

    @ParameterizedTest
    @ValueSource(strings = {"", "credential.console.enabled=false"})
    void consoleWhenNotEnabledThenHasNoBeanAndNoPage(String property) {
        off.withPropertyValues(property).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(ConsoleHandlerMapping.class)
                    .doesNotHaveBean(ConsoleSecurityCheck.class);
            for (String path : new String[] {"", "/", "/things", "/assets/console.css", "/assets/console.js"}) {
                assertThat(send(context, get("/credential" + path)).getStatus())
                        .as(path)
                        .isEqualTo(404);
            }
        });
    }

    @Test
    void startWhenReactiveThenRefused() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class))
                .withPropertyValues(ConsoleRunner.ENABLED)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(CredentialConfigurationException.class, refused -> {
                            assertThat(refused.problem()).contains("reactive (WebFlux)");
                            assertThat(refused.remedy()).contains("remove credential.console.enabled");
                        }));
    }

    /** The application would serve them, whether the console is enabled or not. */
    @ParameterizedTest
    @ValueSource(strings = {"META-INF/resources/", "resources/", "static/", "public/"})
    void assetsThenAreNotInAFolderOfSpringBoot(String folder) {
        for (String name : new String[] {"console.css", "console.js", "io/credential", "credential"}) {
            assertThat(getClass().getClassLoader().getResource(folder + name)).isNull();
        }
    }

    @Test
    void sectionsThenAreServed() {
        on.run(context -> {
            assertThat(send(context, get("/credential/things")).getContentAsString())
                    .contains("\nfalse true\n");
            MockHttpServletResponse acted = send(context, post("/credential/things/act"));
            assertThat(acted.getStatus()).isEqualTo(303);
            assertThat(acted.getHeader("Location")).isEqualTo("../things");
            assertThat(send(context, post("/credential/things/search")).getContentAsString())
                    .contains("\nfound\n");
        });
    }

    /** A filter may have let it pass by the security chain, whatever that was at startup. */
    @Test
    void actionWhenItPassesNoChainThenIsNotDone() {
        ConsoleRunner.Things things = new ConsoleRunner.Things();
        ConsoleRunner.withSecurity()
                .withBean(ConsoleRunner.Things.class, () -> things)
                .withPropertyValues(ConsoleRunner.ENABLED)
                .run(context -> {
                    MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
                    TestSecurityContextHolder.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            "operator", null, AuthorityUtils.createAuthorityList(EVERYTHING)));
                    try {
                        assertThatThrownBy(() -> mvc.perform(post("/credential/things/act")))
                                .hasRootCauseMessage(
                                        "This request to the console did not pass the CSRF protection of Spring Security");
                    } finally {
                        TestSecurityContextHolder.clearContext();
                    }
                    assertThat(things.acted()).isZero();
                    send(context, post("/credential/things/act"));
                    assertThat(things.acted()).isOne();
                });
    }

    @Test
    void actionWhenReadOnlyThenDoesNotExist() {
        on.withPropertyValues("credential.console.read-only=true").run(context -> {
            assertThat(send(context, get("/credential/things")).getContentAsString())
                    .contains("\ntrue false\n");
            assertThat(send(context, post("/credential/things/act")).getStatus())
                    .isEqualTo(404);
            assertThat(send(context, post("/credential/things/search")).getStatus())
                    .isEqualTo(200);
        });
    }

    @Test
    void pathWhenConfiguredThenIsServed() {
        on.withPropertyValues("credential.console.path=/ops/hooks").run(context -> {
            assertThat(send(context, get("/ops/hooks")).getHeader("Location")).isEqualTo("hooks/");
            assertThat(send(context, get("/ops/hooks/things")).getStatus()).isEqualTo(200);
            assertThat(send(context, get("/credential/things")).getStatus()).isEqualTo(404);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/things/", "/things/act", "/a/b/c", "/assets/console.css"})
    void pageWhenUnknownThenSaysSo(String path) {
        on.run(context -> {
            MockHttpServletResponse response = send(context, get("/credential" + path));
            assertThat(response.getStatus()).isEqualTo(404);
            assertThat(response.getContentAsString()).contains("The console has no page here.");
        });
    }

    @Test
    void pageWhenItFailsThenTellsNoDetails() {
        on.run(context -> {
            MockHttpServletResponse response = send(context, get("/credential/things/broken"));
            assertThat(response.getStatus()).isEqualTo(500);
            assertThat(response.getContentAsString())
                    .contains("The log of the application says why.")
                    .doesNotContain("a detail of the implementation");
        });
    }

    @Test
    void authoritiesWhenConfiguredThenAreRequired() {
        on.withPropertyValues("credential.console.authorities.view=ROLE_OPS").run(context -> {
            assertThat(send(context, get("/credential/things")).getStatus()).isEqualTo(403);
            assertThat(send(context, get("/credential/things"), "ROLE_OPS").getStatus())
                    .isEqualTo(200);
        });
    }

    private static MockHttpServletResponse send(
            AssertableWebApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        return send(context, request, EVERYTHING);
    }

    private static MockHttpServletResponse send(
            AssertableWebApplicationContext context, MockHttpServletRequestBuilder request, String... authorities)
            throws Exception {
        MockMvc mvc = MockMvcBuilders.webAppContextSetup(context)
                .apply(springSecurity())
                .build();
        return mvc.perform(request.with(csrf())
                        .with(user("operator").authorities(AuthorityUtils.createAuthorityList(authorities))))
                .andReturn()
                .getResponse();
    }
}
