package io.credential.spring.console;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers.springSecurity;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/** The overview while the database does not answer. */
class OverviewFailureTests {

    private boolean fails = true;

    @Test
    void overviewWhenDatabaseFailsThenUnavailable() {
        ConsoleRunner.withSecurity()
                .withPropertyValues(ConsoleRunner.ENABLED)
                .withBean(ConsoleSection.class, Parts::new)
                .run(context -> {
                    MockHttpServletResponse failing = open(context);
                    assertThat(failing.getStatus()).isEqualTo(503);
                    assertThat(failing.getContentAsString())
                            .contains("role=\"alert\">The database has not answered since", "one: 42", "two: in memory")
                            .doesNotContain("two: read", "not to be told");

                    fails = false;
                    MockHttpServletResponse answering = open(context);
                    assertThat(answering.getStatus()).isEqualTo(200);
                    assertThat(answering.getContentAsString())
                            .contains("one: 42", "two: read")
                            .doesNotContain("The database has not answered", "in memory");
                });
    }

    private static MockHttpServletResponse open(WebApplicationContext context) throws Exception {
        return MockMvcBuilders.webAppContextSetup(context)
                .apply(springSecurity())
                .build()
                .perform(get("/credential/")
                        .with(user("operator").authorities(AuthorityUtils.createAuthorityList("CREDENTIAL_VIEW"))))
                .andReturn()
                .getResponse();
    }

    /** One part that can be read, and one that cannot. */
    private final class Parts implements ConsoleSection {

        @Override
        public List<NavigationEntry> navigation() {
            return List.of();
        }

        @Override
        public void addTo(ConsoleRoutes routes) {}

        @Override
        public List<OverviewPart<?>> overview() {
            return List.of(new Part(2), new Part(1));
        }
    }

    private final class Part implements OverviewPart<String> {

        private final int order;

        private Part(int order) {
            this.order = order;
        }

        @Override
        public int order() {
            return order;
        }

        @Override
        public String read() {
            if (order == 1) {
                return "one: 42";
            }
            if (fails) {
                throw new DataAccessResourceFailureException("not to be told");
            }
            return "two: read";
        }

        @Override
        public void render(HtmlTemplateOutput output, String value) {
            output.writeContent(value);
        }

        @Override
        public void renderUnread(HtmlTemplateOutput output) {
            output.writeContent("two: in memory");
        }
    }
}
