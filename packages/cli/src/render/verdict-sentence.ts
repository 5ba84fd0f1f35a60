export { verdictSentence } from '@deadheat/report';
