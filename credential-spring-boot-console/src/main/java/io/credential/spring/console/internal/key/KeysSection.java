package io.credential.spring.console.internal.key;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.KeySearch;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.console.internal.templates.JtekeyGenerated;
import io.credential.spring.console.internal.templates.JtekeysGenerated;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.spring.operations.internal.KeyOperations.ExaminedPage;
import io.credential.spring.web.ApiKeyExceptionHandler;

/** The keys of each registry. */
public final class KeysSection implements ConsoleSection {

    static final String PATH = "keys";

    private static final int ORDER = 50;
    static final int ROWS = 50;

    private static final ApiKeyExceptionHandler PROBLEMS = new ApiKeyExceptionHandler();

    private final KeyOperations operations;
    private final Leader leader;
    private final boolean countsUsage;
    private final KeyActions actions;

    /** @param countsUsage whether the use of keys is counted by the day */
    public KeysSection(KeyOperations operations, Leader leader, boolean countsUsage) {
        this.operations = operations;
        this.leader = leader;
        this.countsUsage = countsUsage;
        this.actions = new KeyActions(operations);
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry(PATH, "API keys", ORDER));
    }

    @Override
    public List<OverviewPart<?>> overview() {
        return operations.namespaces().stream()
                .<OverviewPart<?>>map(namespace -> new RegistryPart(operations, namespace))
                .toList();
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(PATH, this::list);
        routes.postedQuery(PATH + "/search", Access.VIEW, this::search);
        actions.addTo(routes);
        routes.page(PATH + "/{registry}/{id}", this::show);
    }

    private Reply list(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        return list(parameters, KeySearch.all(), parameters.text("show").orElse(""), null);
    }

    private Reply search(ConsoleRequest request) {
        Parameters parameters = request.parameters();
        KeyList.Search search = new KeyList.Search(
                parameters.text("owner").orElse(""),
                parameters.text("name").orElse(""),
                parameters.text("scope").orElse(""));
        KeySearch query = KeySearch.all();
        query = search.owner().isEmpty() ? query : query.withOwnerId(search.owner());
        query = search.name().isEmpty() ? query : query.withNamePrefix(search.name());
        query = search.scope().isEmpty() ? query : query.withScope(search.scope());
        return list(parameters, query, "", search);
    }

    private Reply list(Parameters parameters, KeySearch query, String show, KeyList.@Nullable Search search) {
        List<String> namespaces = operations.namespaces();
        String namespace = parameters
                .text("registry")
                .orElseGet(() -> namespaces.stream()
                        .findFirst()
                        .orElseThrow(() -> ConsoleException.notFound("No registry of API keys is configured.")));
        KeySearch page = query.withLimit(ROWS);
        ExaminedPage found = operations.search(
                namespace, parameters.text("cursor").map(page::after).orElse(page), show.isEmpty() ? null : show);
        KeyList list = new KeyList(
                namespaces,
                operations.registry(namespace),
                show,
                search,
                found.keys(),
                found.nextCursor(),
                leader.place());
        return Reply.page("API keys", PATH, (output, frame) -> JtekeysGenerated.render(output, null, frame, list));
    }

    private Reply show(ConsoleRequest request) {
        String namespace = request.path("registry");
        String id = request.path("id");
        List<ApiKeyUsage> usage = countsUsage ? operations.usage(namespace, id, null) : List.of();
        KeyDetail detail = new KeyDetail(operations.key(namespace, id), usage, leader.place());
        return Reply.page("API key " + id, PATH, (output, page) -> JtekeyGenerated.render(output, null, page, detail));
    }

    @Override
    public Optional<Problem> problem(RuntimeException exception) {
        if (exception instanceof NotLeaderException elsewhere) {
            return Optional.of(describe(elsewhere).withLink(leader.console(elsewhere.leaderUrl())));
        }
        return exception instanceof ApiKeyException refused ? Optional.of(describe(refused)) : Optional.empty();
    }

    /** Returns what a program would be told. */
    static Problem describe(ApiKeyException refused) {
        return Problem.of(PROBLEMS.handle(refused));
    }
}
