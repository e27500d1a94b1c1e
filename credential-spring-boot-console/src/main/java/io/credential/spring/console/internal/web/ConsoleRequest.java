package io.credential.spring.console.internal.web;

import java.util.function.Supplier;

import org.springframework.web.servlet.function.ServerRequest;

/** A request to the console, by an operator who may send it. */
public final class ConsoleRequest {

    private final ServerRequest request;
    private final Operator operator;
    private final SentForms forms;
    private final Parameters parameters;

    ConsoleRequest(ServerRequest request, Operator operator, SentForms forms) {
        this.request = request;
        this.operator = operator;
        this.forms = forms;
        this.parameters = new Parameters(request.params());
    }

    /** Returns who sent it. */
    public Operator operator() {
        return operator;
    }

    /** Returns a variable of the pattern. */
    public String path(String variable) {
        return request.pathVariable(variable);
    }

    /** Returns the parameters of the query and the form. */
    public Parameters parameters() {
        return parameters;
    }

    /**
     * Runs the action of a form with {@link Page#onceField}, unless the form was sent before: with the back button or a reload, or
     * twice at once. A form that was rejected can be sent again.
     *
     * @throws ConsoleException if it was sent before
     */
    public Reply once(Supplier<Reply> action) {
        return forms.once(request.session(), parameters.required(SentForms.PARAMETER), action);
    }
}
