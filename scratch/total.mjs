import { createRandom, studentTQuantile } from '@deadheat/stats';
import { compareBenchmark } from '@deadheat/analysis';
import { simulatedExperiment, simulatedRuns } from '../bench/truth/recordings.js';
import { shapes } from '../bench/truth/shapes.js';
const draws=Number(process.argv[2]??200);
const mix=(f,p,s,sd=0.01)=>({truth:[1,1],sides:(random)=>()=>({A:sd*random.normal(),B:sd*random.normal()+Math.log(random.next()<p?s:f)})});
const both=(f,p,s,sd=0.01)=>({truth:[1,1],sides:(random)=>()=>({A:sd*random.normal()+Math.log(random.next()<p?s:1),B:Math.log(f)+sd*random.normal()+Math.log(random.next()<p?s:1)})});
const common=(f,p,s,sd=0.01)=>({truth:[1,1],sides:(random)=>()=>{const k=Math.log(random.next()<p?s:1);return {A:sd*random.normal()+k,B:Math.log(f)+sd*random.normal()+k}}});
const list={
 'm -10 x3 10%':[mix(.9,.1,3),.9*.9+.1*3],'m -10 x3 5%':[mix(.9,.05,3),.95*.9+.05*3],'m -3 +50% 10%':[mix(.97,.1,1.5),.97*.9+.15],
 'm -2 x2 5%':[mix(.98,.05,2),.98*.95+.1],'m -1 x1.3 10%':[mix(.99,.1,1.3),.99*.9+.13],'m -5 x2 10%':[mix(.95,.1,2),.95*.9+.2],'m -20 x4 10%':[mix(.8,.1,4),.8*.9+.4],'m -10 x3 20%':[mix(.9,.2,3),.9*.8+.6],
 'normal +1':[mix(1.01,0,1),1.01],'normal +2':[mix(1.02,0,1),1.02],'common 5% x1.5 +2':[common(1.02,.05,1.5),1.02],'common 20% x3 +2':[common(1.02,.2,3),1.02],'each 5% x1.35 +2':[both(1.02,.05,1.35),1.02],'each 20% x1.35 +2':[both(1.02,.2,1.35),1.02],'each 5% x1.35 +5':[both(1.05,.05,1.35),1.05],'each 20% x1.35 +5':[both(1.05,.2,1.35),1.05],
};
for(const way of ['tandem','unpaired']) for(const n of [20,40]) for(const [name,[shape,truth]] of Object.entries(list)){
 shapes['x']=shape; let c={draws:0,two:0,today:0,R1:0,R2:0,R3:0,right:0,rR1:0,rR2:0,rR3:0};
 for(let d=0;d<draws;d++){ const random=createRandom(`t ${way} ${name} ${n} ${d}`); const runs=simulatedRuns({way,shape:'x',runs:n},random);
  const {benchmark,config}=simulatedExperiment(way,{stop:{kind:'runs',runs:n},seed:String(d),confidence:.99});
  const r=compareBenchmark({runs,benchmark,config}); const a=r.sides.A.times,b=r.sides.B.times; const m=x=>x.reduce((s,v)=>s+v,0)/x.length; const T=m(b)/m(a);
  const l = way==='tandem'? b.map((v,i)=>v/m(b)-a[i]/m(a)) : null; const sd=x=>Math.sqrt(x.reduce((s,v)=>s+(v-m(x))**2,0)/(x.length-1));
  const se = l? sd(l)/Math.sqrt(n): Math.sqrt((sd(a)/m(a))**2/n+(sd(b)/m(b))**2/n);
  const lo=Math.log(T)-studentTQuantile(.9,n-1)*se, hi=Math.log(T)+studentTQuantile(.9,n-1)*se;
  const slowRuns=b.filter(v=>v>1.2*[...b].sort((x,y)=>x-y)[n>>1]).length; c.draws++;
  const v=r.verdict; if(v!=='faster'&&v!=='slower') continue; const s=v==='slower'?1:-1; const blockedR1 = s*Math.log(T)<0; const blockedR2 = s>0?lo<0:hi>0; 
  const warn=r.warnings.find(w=>w.code==='SLOW_NOW_AND_THEN'); const slowSide= warn? (/^(A|B) was/.exec(warn.message)?.[1] ?? /slower (A|B)/.exec(warn.message)[1]):null; const opp=s>0?'A':'B'; const med=x=>[...x].sort((p,q)=>p-q)[x.length>>1]; const isFar = slowRuns>=2 || a.filter(v=>v>1.2*med(a)).length>=2; const blockedR3= blockedR1 || (slowSide===opp && blockedR2);
  if(s===Math.sign(Math.log(truth))){c.right++; if(!blockedR1)c.rR1++; if(!blockedR2)c.rR2++; if(!blockedR3)c.rR3++;}
  else { c.today++; if(slowRuns>=2){c.two++; if(!blockedR1)c.R1++; if(!blockedR2)c.R2++; if(!blockedR3)c.R3++;} }
 }
 console.log(way,n,name.padEnd(20),'T',truth.toFixed(3),JSON.stringify(Object.fromEntries(Object.entries(c).map(([k,v])=>[k,k==='draws'?v:Math.round(1000*v/draws)/10]))));
}
