package io.credential.spring.autoconfigure.openapi;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.MediaType;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.security.internal.ApiKeySecuritySettings;

/**
 * Adds the API key as a security scheme, and requires it for operations that need a key. What the application has
 * described itself remains.
 */
final class ApiKeyCustomizer implements GlobalOpenApiCustomizer {

    static final String SCHEME = "apiKey";
    static final String BEARER_SCHEME = "apiKeyBearer";

    private final ObjectProvider<ApiKeySecuritySettings> settings;
    private final ObjectProvider<ApiKeyRegistries> registries;
    private final KeyedPaths paths;

    ApiKeyCustomizer(
            ObjectProvider<ApiKeySecuritySettings> settings,
            ObjectProvider<ApiKeyRegistries> registries,
            KeyedPaths paths) {
        this.settings = settings;
        this.registries = registries;
        this.paths = paths;
    }

    @Override
    public void customise(OpenAPI document) {
        if (document.getPaths() == null) {
            return;
        }
        String header = header();
        boolean secured = false;
        boolean bearer = false;
        for (Map.Entry<String, PathItem> path : document.getPaths().entrySet()) {
            for (Map.Entry<PathItem.HttpMethod, Operation> entry :
                    path.getValue().readOperationsMap().entrySet()) {
                Operation operation = entry.getValue();
                ScopeCustomizer.Mark mark = ScopeCustomizer.remove(operation);
                if (mark != null
                        && header != null
                        && operation.getSecurity() == null
                        && needsKey(mark, path.getKey(), entry.getKey().name())) {
                    if (document.getSecurity() == null) {
                        operation.addSecurityItem(new SecurityRequirement().addList(scheme(document, header)));
                        secured = true;
                        if (paths.acceptBearer(path.getKey(), entry.getKey().name())) {
                            operation.addSecurityItem(new SecurityRequirement().addList(BEARER_SCHEME));
                            bearer = true;
                        }
                    }
                    addResponses(operation, mark);
                }
            }
        }
        if (secured) {
            addScheme(document, String.valueOf(header));
        }
        if (bearer) {
            addBearerScheme(document);
        }
    }

    /** Returns the first header for keys, or null if no registry issues any. */
    private @Nullable String header() {
        ApiKeySecuritySettings available = settings.getIfAvailable();
        ApiKeyRegistries issuing = registries.getIfAvailable();
        return available == null || issuing == null || issuing.all().isEmpty()
                ? null
                : available.sources().headerNames().get(0);
    }

    private boolean needsKey(ScopeCustomizer.Mark mark, String path, String method) {
        return paths.acceptKeys(path, method) && (mark.needsKey() || paths.rejectOthers(path, method));
    }

    /** Returns the name of the application's scheme for this header, or ours. */
    private static String scheme(OpenAPI document, String header) {
        Components components = document.getComponents();
        if (components == null || components.getSecuritySchemes() == null) {
            return SCHEME;
        }
        return components.getSecuritySchemes().entrySet().stream()
                .filter(scheme -> scheme.getValue().getIn() == SecurityScheme.In.HEADER
                        && header.equalsIgnoreCase(scheme.getValue().getName()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(SCHEME);
    }

    private static void addScheme(OpenAPI document, String header) {
        Components components = document.getComponents() == null ? new Components() : document.getComponents();
        String name = scheme(document, header);
        if (components.getSecuritySchemes() == null
                || !components.getSecuritySchemes().containsKey(name)) {
            components.addSecuritySchemes(
                    name,
                    new SecurityScheme()
                            .type(SecurityScheme.Type.APIKEY)
                            .in(SecurityScheme.In.HEADER)
                            .name(header));
        }
        document.setComponents(components);
    }

    /** Keeps a scheme of the application that has this name. */
    private static void addBearerScheme(OpenAPI document) {
        Components components = document.getComponents();
        if (!components.getSecuritySchemes().containsKey(BEARER_SCHEME)) {
            components.addSecuritySchemes(
                    BEARER_SCHEME,
                    new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer"));
        }
    }

    private static void addResponses(Operation operation, ScopeCustomizer.Mark mark) {
        ApiResponses responses = operation.getResponses() == null ? new ApiResponses() : operation.getResponses();
        responses.putIfAbsent("401", problem("The API key is missing or not valid"));
        if (!mark.scopes().isEmpty()) {
            responses.putIfAbsent("403", problem("The API key lacks a scope; required: " + mark.scopes()));
        }
        operation.setResponses(responses);
    }

    private static ApiResponse problem(String description) {
        return new ApiResponse()
                .description(description)
                .content(new Content()
                        .addMediaType(
                                MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                                new io.swagger.v3.oas.models.media.MediaType()));
    }
}
