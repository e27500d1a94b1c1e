package io.credential.spring.library;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.security.RequiresScope;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Answers requests in the class loader that loads it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class RequestApplication {

    private final BeanFactory beans;

    RequestApplication(BeanFactory beans) {
        this.beans = beans;
    }

    /** Returns who audit events name as the actor. */
    @GetMapping("/actor")
    String actor() {
        return String.valueOf(CurrentActor.supplier(beans).get());
    }

    @GetMapping("/orders")
    @RequiresScope("orders:read")
    String orders() {
        return "orders";
    }

    /** Returns the responses to a user with a password and, if there is a registry, to a key without scopes. */
    public static Set<String> facts(String... properties)
            throws IOException, InterruptedException, ReflectiveOperationException {
        LibraryApplication.forgetHandlersOfUrls();
        Set<String> facts = new TreeSet<>();
        SpringApplication application = new SpringApplication(RequestApplication.class);
        application.setRegisterShutdownHook(false);
        String[] arguments =
                Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            String password = Base64.getEncoder().encodeToString("user:secret".getBytes(UTF_8));
            facts.addAll(responses(context, "user", "Basic " + password));
            if (ClassUtils.isPresent(
                    "io.credential.apikey.ApiKeyRegistry", RequestApplication.class.getClassLoader())) {
                facts.addAll(responses(context, "key", "ApiKey " + Keys.issue(context)));
            }
        }
        return facts;
    }

    private static Set<String> responses(ConfigurableApplicationContext context, String caller, String authorization)
            throws IOException, InterruptedException {
        Set<String> facts = new TreeSet<>();
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        for (String path : new String[] {"/actor", "/orders"}) {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                    .header("Authorization", authorization)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            facts.add(caller + " " + path + ": " + response.statusCode()
                    + (response.statusCode() == 200 ? " " + response.body() : ""));
        }
        return facts;
    }

    /** Loaded only with the library. */
    private static final class Keys {

        static String issue(BeanFactory beans) {
            return beans.getBean(ApiKeyRegistry.class)
                    .issue(IssueRequest.forOwner("shop-7"))
                    .key();
        }
    }
}
