package io.credential.sample;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.sample.Api.Answer;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.security.RequiresScope;
import io.credential.testing.DocTable;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code README.md} of the sample lists every request that the sample maps, with its scope and status. */
@TestInstance(Lifecycle.PER_CLASS)
class HttpInterfaceIT {

    /** The page of the demonstration is not for programs, and answers with a redirect to the login. */
    private static final Set<String> NOT_DOCUMENTED = Set.of("/error", "/test/failing-orders", "/demonstration");

    private Sample sample;

    @BeforeAll
    void start(@TempDir Path directory) {
        sample = Sample.startIn(directory, Map.of());
    }

    @AfterAll
    void stop() {
        sample.close();
    }

    @Test
    void tableThenListsEveryRequestWithItsScope() {
        table().assertColumn("scope", routes((request, method) -> scope(path(request), method)));
    }

    @Test
    void tableThenListsEveryRequestWithItsStatus() {
        table().assertColumn("status", routes((request, method) -> status(method)));
    }

    @Test
    void scopeWhenInTheTableThenEnforced() {
        String withoutScopes = sample.bean(ApiKeyRegistry.class)
                .issue(IssueRequest.forOwner("nobody"))
                .key();

        table().column("scope").forEach((request, scope) -> {
            Answer unauthenticated = send(sample.api(), request);
            assertThat(unauthenticated.status()).as(request).isEqualTo(401);
            if (scope.startsWith("`")) {
                Answer unauthorized = send(sample.api().with(withoutScopes), request);
                assertThat(unauthorized.status()).as(request).isEqualTo(403);
                assertThat(unauthorized.json().required("missingScopes").toString())
                        .as(request)
                        .isEqualTo("[\"" + scope.replace("`", "") + "\"]");
            }
        });
    }

    private static DocTable table() {
        return DocTable.read("../sample-app/README.md", "request");
    }

    private static Answer send(Api api, String request) {
        HttpMethod method = HttpMethod.valueOf(request.substring(0, request.indexOf(' ')));
        String path = path(request).replaceAll("\\{\\w+}", "0123456789abcdef");
        if (method.equals(HttpMethod.GET)) {
            return api.get(path);
        }
        return method.equals(HttpMethod.DELETE) ? api.delete(path) : api.postText(path, "{}");
    }

    private static String path(String request) {
        return request.substring(request.indexOf(' ') + 1);
    }

    private Map<String, String> routes(Column column) {
        Map<String, String> routes = new TreeMap<>();
        sample.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((mapping, method) -> {
                    for (String path : mapping.getPatternValues()) {
                        if (!NOT_DOCUMENTED.contains(path)) {
                            String methods = mapping.getMethodsCondition().getMethods().stream()
                                    .map(Enum::name)
                                    .collect(Collectors.joining(","));
                            String request = methods + " " + path;
                            assertThat(routes.put(request, column.of(request, method)))
                                    .as(request)
                                    .isNull();
                        }
                    }
                });
        return routes;
    }

    private String scope(String path, HandlerMethod method) {
        Set<String> scopes = new TreeSet<>();
        RequiresScope onMethod = method.getMethodAnnotation(RequiresScope.class);
        if (onMethod != null) {
            scopes.addAll(Arrays.asList(onMethod.value()));
        }
        RequiresScope onType = AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), RequiresScope.class);
        if (onType != null) {
            scopes.addAll(Arrays.asList(onType.value()));
        }
        if (!scopes.isEmpty()) {
            return "`" + String.join("` and `", scopes) + "`";
        }
        return isSigned(path) ? "signature" : "any key";
    }

    private boolean isSigned(String path) {
        return sample.bean(WebhookProperties.class).inbound().values().stream()
                .anyMatch(inbound -> inbound.paths().contains(path));
    }

    private static String status(HandlerMethod method) {
        ResponseStatus status = method.getMethodAnnotation(ResponseStatus.class);
        return status == null ? "200" : String.valueOf(status.code().value());
    }

    @FunctionalInterface
    private interface Column {

        String of(String request, HandlerMethod method);
    }
}
