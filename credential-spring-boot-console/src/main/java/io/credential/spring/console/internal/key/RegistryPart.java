package io.credential.spring.console.internal.key;

import org.springframework.dao.DataAccessResourceFailureException;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.apikey.ApiKeyException;
import io.credential.spring.console.internal.templates.JteoverviewkeysGenerated;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.spring.operations.internal.KeyOperations.RegistrySummary;

/** How many keys a registry has, by state and finding. */
final class RegistryPart implements OverviewPart<RegistrySummary> {

    private static final int ORDER = 30;

    private final KeyOperations operations;
    private final String namespace;

    RegistryPart(KeyOperations operations, String namespace) {
        this.operations = operations;
        this.namespace = namespace;
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public RegistrySummary read() {
        try {
            return operations.registry(namespace);
        } catch (ApiKeyException e) {
            throw new DataAccessResourceFailureException("The API keys could not be counted", e);
        }
    }

    @Override
    public void render(HtmlTemplateOutput output, RegistrySummary registry) {
        JteoverviewkeysGenerated.render(output, null, registry);
    }
}
