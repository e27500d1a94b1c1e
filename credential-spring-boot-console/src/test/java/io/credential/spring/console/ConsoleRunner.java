package io.credential.spring.console;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;

/** An application with Spring MVC and Spring Security, and with nothing that the console shows. */
final class ConsoleRunner {

    static final String ENABLED = "credential.console.enabled=true";

    private ConsoleRunner() {}

    static WebApplicationContextRunner withSecurity() {
        return new WebApplicationContextRunner().withConfiguration(everything());
    }

    static WebApplicationContextRunner withoutSecurity() {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class,
                        CredentialAutoConfiguration.class,
                        ConsoleAutoConfiguration.class));
    }

    static AutoConfigurations everything() {
        return AutoConfigurations.of(
                DispatcherServletAutoConfiguration.class,
                WebMvcAutoConfiguration.class,
                CredentialAutoConfiguration.class,
                ConsoleAutoConfiguration.class,
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class);
    }

    /** A page, an action, and a query that is posted. */
    static final class Things implements ConsoleSection {

        private final AtomicInteger acted = new AtomicInteger();

        /** Returns how often the action was done. */
        int acted() {
            return acted.get();
        }

        @Override
        public List<NavigationEntry> navigation() {
            return List.of(new NavigationEntry("things", "Things", 1));
        }

        @Override
        public void addTo(ConsoleRoutes routes) {
            routes.page(
                    "things",
                    request -> Reply.page(
                            "Things",
                            "things",
                            (output, page) -> output.writeContent(page.readOnly() + " " + page.can(Access.OPERATE))));
            routes.action("things/act", Access.OPERATE, request -> {
                acted.incrementAndGet();
                return Reply.redirect("things", "Saved");
            });
            routes.postedQuery(
                    "things/search",
                    Access.KEYS,
                    request -> Reply.page("Found", "things", (output, page) -> output.writeContent("found")));
            routes.action("things/{id}/remove", Access.ADMIN, request -> Reply.redirect("things", "Removed"));
            routes.page("things/broken", request -> {
                throw new IllegalStateException("a detail of the implementation");
            });
        }
    }
}
