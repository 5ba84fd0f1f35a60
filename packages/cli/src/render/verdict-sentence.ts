export { runsOf, verdictSentence } from '@deadheat/report';
