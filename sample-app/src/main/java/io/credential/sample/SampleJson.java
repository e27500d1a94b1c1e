package io.credential.sample;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import com.fasterxml.jackson.annotation.JsonInclude;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

import io.credential.webhook.delivery.DeliveryStatus;

/** What application.yml cannot say about JSON. */
@Configuration(proxyBeanMethods = false)
class SampleJson {

    /** Leaves absent optionals out, but no null that somebody put into the metadata. */
    @Bean
    JsonMapperBuilderCustomizer absentOptionalsAreLeftOut() {
        return builder -> builder.changeDefaultPropertyInclusion(
                inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL));
    }

    /** A status is written as in the database, {@code in-flight} for example. */
    @Bean
    JacksonModule statusesAreTexts() {
        return new SimpleModule("statuses").addSerializer(DeliveryStatus.class, new ValueSerializer<>() {
            @Override
            public void serialize(DeliveryStatus status, JsonGenerator json, SerializationContext context) {
                json.writeString(status.text());
            }
        });
    }

    /** Takes no number or truth value for a text. */
    @Bean
    JsonMapperBuilderCustomizer textsAreTexts() {
        return builder -> builder.withCoercionConfig(
                LogicalType.Textual,
                coercions -> coercions
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
