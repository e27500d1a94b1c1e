package io.credential.spring.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.security.RequiresScope;

/**
 * An application that a servlet container starts. It gets its properties as parameters of the servlet context, and
 * writes a token with the scope {@code orders:read}, and one without it, to the files {@code reader} and {@code other}
 * of the directory {@code test.directory}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({WarApplication.Orders.class, WarApplication.OrderController.class})
public class WarApplication extends SpringBootServletInitializer {

    /** The parameters of an application whose files are in this directory. */
    static Map<String, String> parameters(Path directory) {
        return Map.ofEntries(
                Map.entry("test.directory", directory.toString()),
                Map.entry("credential.api-keys.registries.live.prefix", "bk"),
                Map.entry("credential.api-keys.registries.live.rate-limit.limit", "100"),
                Map.entry("credential.api-keys.registries.live.rate-limit.window", "60s"),
                Map.entry("credential.api-keys.cache.enabled", "true"),
                Map.entry("credential.keyring.location", "file:" + directory.resolve("keyring.json")),
                Map.entry("credential.webhook.inbound.shop.paths", "/hooks/shop"),
                Map.entry("credential.webhook.inbound.shop.keys.v1", "0011223344556677"),
                Map.entry("management.endpoints.web.exposure.include", "*"),
                Map.entry("spring.datasource.url", "jdbc:sqlite:" + directory.resolve("application.db")),
                Map.entry("spring.flyway.enabled", "false"),
                Map.entry("spring.main.banner-mode", "off"));
    }

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
        return builder.sources(WarApplication.class);
    }

    @Bean
    ApplicationRunner tokens(ApiKeyRegistry registry, @Value("${test.directory}") Path directory) {
        return arguments -> {
            issue(registry, directory.resolve("reader"), "orders:read");
            issue(registry, directory.resolve("other"), "orders:write");
        };
    }

    private static void issue(ApiKeyRegistry registry, Path file, String scope) throws IOException {
        Files.writeString(
                file,
                registry.issue(IssueRequest.forOwner("owner-1").scopes(scope)).key());
    }

    /** Serves without Spring MVC. */
    @Bean
    ServletRegistrationBean<HttpServlet> plainOrders(Orders orders) {
        return new ServletRegistrationBean<>(new OrderServlet(orders), "/plain/orders");
    }

    public static class Orders {

        @RequiresScope("orders:read")
        public String list() {
            return "orders";
        }
    }

    @RestController
    static class OrderController {

        private final Orders orders;

        OrderController(Orders orders) {
            this.orders = orders;
        }

        @GetMapping("/orders")
        String list() {
            return orders.list();
        }

        @PostMapping("/hooks/shop")
        void hook() {}
    }

    static final class OrderServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient Orders orders;

        OrderServlet(Orders orders) {
            this.orders = orders;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String list = orders.list();
            response.getWriter().print(list);
        }
    }
}
