package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.transaction.TransactionException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.credential.spring.console.internal.templates.JteproblemGenerated;

/** Decides who may send a request, has its route handled, and answers its exceptions with a page. */
final class ConsoleHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleHandler.class);

    private static final Operator NOBODY = new Operator("", Set.of());

    private final String path;
    private final Operators operators;
    private final List<ConsoleSection> sections;
    private final PageWriter writer;
    private final Assets assets;
    private final SentForms forms;

    /** @param path of the console, without a slash at its end */
    ConsoleHandler(
            String path,
            Operators operators,
            List<ConsoleSection> sections,
            PageWriter writer,
            Assets assets,
            SentForms forms) {
        this.path = path;
        this.operators = operators;
        this.sections = List.copyOf(sections);
        this.writer = writer;
        this.assets = assets;
        this.forms = forms;
    }

    ServerResponse handle(ConsoleRoutes.Route route, ServerRequest request) {
        CsrfToken token = token(request);
        Operator operator = NOBODY;
        Reply reply;
        try {
            operator = operators.current();
            requireSameSite(route, request);
            require(operator, Access.VIEW);
            require(operator, route.access());
            reply = route.handler().handle(new ConsoleRequest(request, operator, forms));
        } catch (RuntimeException e) {
            reply = problem(e);
        }
        return answer(request, reply, operator, token);
    }

    /** Checked first, so that no action runs without CSRF protection. */
    private static CsrfToken token(ServerRequest request) {
        @Nullable Object token = request.servletRequest().getAttribute(CsrfToken.class.getName());
        if (token instanceof CsrfToken csrf) {
            return csrf;
        }
        throw new IllegalStateException(
                "This request to the console did not pass the CSRF protection of Spring Security");
    }

    private ServerResponse answer(ServerRequest request, Reply reply, Operator operator, CsrfToken token) {
        String root = root(request);
        if (reply instanceof Reply.Redirect redirect) {
            return writer.redirect(root + redirect.path(), redirect.notice());
        }
        return writer.page(request, (Reply.OfPage) reply, root, operator, token);
    }

    /**
     * Refuses forms of other sites, and links there to payloads: looking at one is audited. A missing header is accepted:
     * browsers send it only over HTTPS or to localhost, and old ones never.
     */
    private static void requireSameSite(ConsoleRoutes.Route route, ServerRequest request) {
        boolean isPlainPage = request.method().equals(HttpMethod.GET) && route.access() != Access.PAYLOADS;
        if (!isPlainPage
                && !request.headers().header("Sec-Fetch-Site").stream()
                        .allMatch(site -> site.equals("same-origin") || site.equals("none"))) {
            throw ConsoleException.forbidden("The request comes from another site.");
        }
    }

    private void require(Operator operator, Access access) {
        if (!operator.can(access)) {
            throw ConsoleException.missing(access, "");
        }
    }

    private Reply problem(RuntimeException exception) {
        Problem problem = describe(exception);
        if (problem.status() == HttpStatus.INTERNAL_SERVER_ERROR) {
            LOG.error("The console could not serve a request", exception);
        }
        return Reply.page(
                problem.status(),
                problem.title(),
                "",
                (output, page) -> JteproblemGenerated.render(output, null, problem));
    }

    private Problem describe(RuntimeException exception) {
        if (exception instanceof ConsoleException own) {
            return own.missing() == null ? own.problem() : missing(own.missing(), own.problem());
        }
        Optional<Problem> known = sections.stream()
                .map(section -> section.problem(exception))
                .flatMap(Optional::stream)
                .findFirst();
        return known.orElseGet(() -> ofOther(exception));
    }

    private Problem missing(Access access, Problem problem) {
        String why = "This needs the authority " + operators.authority(access) + ", which you do not have.";
        return Problem.of(problem.status(), problem.title(), (problem.message() + " " + why).strip());
    }

    private static Problem ofOther(RuntimeException exception) {
        if (exception instanceof DataAccessException || exception instanceof TransactionException) {
            LOG.warn("The console could not read the database", exception);
            return Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "The database does not answer",
                    "Try again later. The log of the application says why.");
        }
        return Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR, "The request failed", "The log of the application says why.");
    }

    ServerResponse asset(ServerRequest request) {
        return assets.find(request.pathVariable("name")).map(writer::asset).orElseGet(() -> notFound(request));
    }

    ServerResponse notFound(ServerRequest request) {
        ConsoleRoutes.Handler nothing = unknown -> {
            throw ConsoleException.notFound("The console has no page here.");
        };
        return handle(new ConsoleRoutes.Route(HttpMethod.GET, "**", Access.VIEW, nothing), request);
    }

    /** Adds the slash that relative links need. */
    ServerResponse addSlash(ServerRequest request) {
        return writer.redirect(path.substring(path.lastIndexOf('/') + 1) + "/", null);
    }

    /** Returns the console's URL relative to that of the request, so that it does not matter how a proxy changes paths. */
    private String root(ServerRequest request) {
        long depth = slashes(request.requestPath().pathWithinApplication().value()) - slashes(path) - 1;
        return depth == 0 ? "./" : "../".repeat((int) depth);
    }

    private static long slashes(String text) {
        return text.chars().filter(character -> character == '/').count();
    }
}
