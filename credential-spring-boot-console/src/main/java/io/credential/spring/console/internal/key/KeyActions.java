package io.credential.spring.console.internal.key;

import java.time.Duration;
import java.util.Map;

import org.springframework.http.HttpStatus;

import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.spring.console.internal.templates.JtekeyformGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.NewSecret;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.KeyOperations;

/** Issues and changes keys. */
final class KeyActions {

    private static final long LONGEST_GRACE_HOURS = Duration.ofDays(90).toHours();

    private final KeyOperations operations;

    KeyActions(KeyOperations operations) {
        this.operations = operations;
    }

    void addTo(ConsoleRoutes routes) {
        routes.form(KeysSection.PATH + "/new", Access.KEYS, this::form);
        routes.action(KeysSection.PATH + "/new", Access.KEYS, this::issue);
        String key = KeysSection.PATH + "/{registry}/{id}/";
        routes.action(key + "rotate", Access.KEYS, this::rotate);
        routes.action(key + "disable", Access.KEYS, this::disable);
        routes.action(key + "enable", Access.KEYS, this::enable);
        routes.action(key + "revoke", Access.KEYS, this::revoke);
        routes.action(key + "limits", Access.KEYS, this::saveLimits);
    }

    /** Takes only the registry from the URL, which is logged: the other values are sealed in the database. */
    private Reply form(ConsoleRequest request) {
        Map<String, String> values = request.parameters()
                .text(KeyForm.REGISTRY)
                .map(name -> Map.of(KeyForm.REGISTRY, name))
                .orElse(Map.of());
        return form(new KeyForm(operations.namespaces(), values, null));
    }

    private static Reply form(KeyForm form) {
        Reply.Body body = (output, page) -> JtekeyformGenerated.render(output, null, page, form);
        return Reply.page(
                form.problem() == null ? HttpStatus.OK : form.problem().status(),
                "Issue API key",
                KeysSection.PATH,
                body);
    }

    private Reply issue(ConsoleRequest request) {
        return request.once(() -> {
            Parameters parameters = request.parameters();
            try {
                String namespace = parameters.required(KeyForm.REGISTRY);
                IssuedApiKey issued = operations.issue(namespace, KeyForm.request(parameters));
                return new NewSecret("The key was issued.", "API key", issued.key(), null, path(namespace, issued.id()))
                        .reply("New API key", KeysSection.PATH);
            } catch (ConsoleException e) {
                return form(new KeyForm(operations.namespaces(), KeyForm.values(parameters), e.problem()));
            } catch (NotLeaderException e) {
                throw e; // the page about it links to the leader
            } catch (ApiKeyException e) {
                return form(new KeyForm(operations.namespaces(), KeyForm.values(parameters), KeysSection.describe(e)));
            }
        });
    }

    private Reply rotate(ConsoleRequest request) {
        return request.once(() -> {
            RotatedApiKey rotated = operations.rotate(
                    request.path(KeyForm.REGISTRY), request.path("id"), rotation(request.parameters()));
            return new NewSecret(
                            "The key was rotated.",
                            "API key",
                            rotated.key(),
                            rotated.secondaryExpiresAt(),
                            path(request))
                    .reply("Rotated API key", KeysSection.PATH);
        });
    }

    private static Rotation rotation(Parameters parameters) {
        return switch (parameters.required("grace")) {
            case "none" -> Rotation.immediate();
            case "kept" -> parameters.number("hours").map(KeyActions::graceful).orElseGet(Rotation::graceful);
            default -> throw ConsoleException.badRequest("'grace' must be kept or none.");
        };
    }

    private static Rotation graceful(long hours) {
        if (hours < 1 || hours > LONGEST_GRACE_HOURS) {
            throw ConsoleException.badRequest("'hours' must be 1 to " + LONGEST_GRACE_HOURS + ".");
        }
        return Rotation.graceful(Duration.ofHours(hours));
    }

    private Reply disable(ConsoleRequest request) {
        var unused = operations.disable(request.path(KeyForm.REGISTRY), request.path("id"));
        return Reply.redirect(path(request), "The key is disabled. It is rejected until it is enabled.");
    }

    private Reply enable(ConsoleRequest request) {
        var unused = operations.enable(request.path(KeyForm.REGISTRY), request.path("id"));
        return Reply.redirect(path(request), "The key is enabled.");
    }

    private Reply revoke(ConsoleRequest request) {
        request.parameters().requireTyped(request.path("id"));
        var unused = operations.revoke(request.path(KeyForm.REGISTRY), request.path("id"));
        return Reply.redirect(path(request), "The key is revoked. It is never accepted again.");
    }

    private Reply saveLimits(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        ApiKeyChanges networks = ApiKeyChanges.none().allowedNetworks(parameters.lines("networks"));
        var unused = operations.update(
                request.path(KeyForm.REGISTRY),
                request.path("id"),
                parameters
                        .rateLimit()
                        .map(limit -> networks.rateLimit(limit.limit(), limit.window()))
                        .orElseGet(networks::withoutRateLimit));
        return Reply.redirect(path(request), "The limits of the key were saved.");
    }

    private static String path(ConsoleRequest request) {
        return path(request.path(KeyForm.REGISTRY), request.path("id"));
    }

    private static String path(String namespace, String id) {
        return KeysSection.PATH + "/" + namespace + "/" + id;
    }
}
