package io.credential.spring.console.internal.web;

import org.jspecify.annotations.Nullable;

import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;

/**
 * Escapes every value of a template by where it stands, and makes invisible characters visible, except in the fields of
 * forms, whose values are sent back.
 */
final class ConsoleOutput extends OwaspHtmlTemplateOutput {

    private boolean field;

    ConsoleOutput(TemplateOutput output) {
        super(output);
    }

    @Override
    public void setContext(@Nullable String tagName, @Nullable String attributeName) {
        field = "textarea".equals(tagName) || "value".equals(attributeName);
        super.setContext(tagName, attributeName);
    }

    @Override
    public void writeUserContent(@Nullable String value) {
        if (value == null) {
            super.writeUserContent(value);
        } else {
            // Neither leaves what stands for the CSRF token, so that no stored text is replaced with it.
            super.writeUserContent(field ? value.replace(Page.CSRF_TOKEN, "\ufffd") : VisibleText.of(value));
        }
    }
}
